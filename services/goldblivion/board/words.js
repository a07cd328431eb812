// What does the board say besides the words of the game? Short captions, in English and Italian.

export const WORDS = {
  en: {
    round: "Round {round}", lastRound: "last round", map: "The map", market: "Market", pile: "{n} cards in the pile", armies: "Combat piles", army: "{n} left",
    villages: "Villages", empty: "empty", theft: "used up: free Combat cards may be stolen", seat: "Player {n}", you: "you", turn: "on turn", first: "first player",
    passed: "has passed", gone: "has left", placed: "has chosen", bars: "bars", nuggets: "nuggets", material: "material", tokens: "magic tokens",
    production: "Production: {left} left, {right} right", decks: "Hand {hand} · deck {deck} · Combat deck {army}", inPlay: "In play", buildings: "Buildings",
    turned: "turned", upright: "upright", territories: "Territories", exhausted: "Exhausted", none: "none", hand: "Your hand", ownTokens: "Your magic tokens",
    under: "Under your board: left {left}; right {right}", ownDeck: "In your deck: {cards}", combat: "Combat on {space}", strength: "Strength {strength} of {needs}",
    resolved: "resolved", boxed: "in the box", lost: "lost", nobles: "Nobles", dummy: "Dummy Noble {noble}", spaceHidden: "{space}, {kind}, face down, {open} open sides, tiles {tiles}",
    spaceEmpty: "{space}, {kind}, nobody there", spaceOpen: "{space}: {enemy}, {face}, {open} open sides, tiles {tiles}", sights: "Enemies in sight", dice: "Last roll: {faces}",
    over: "The game is over", defeat: "The Solo Challenge is lost", decides: "{who} decides", actions: "main actions taken: {n}", box: "In the box: {cards}", way: "open side", water: "water",
    human: "Human", elf: "Elf", dwarf: "Dwarf", building: "Building", left: "left", right: "right", bank: "Bank: {n} magic tokens face down, used this round: {used}", legend: "gold: open side · blue: water",
    chosen: "Chosen for Development: {card}, {side}", cards: "Deck, hand and Production together: {cards}", fighters: "In the Combat deck: {cards}",
    buried: "At the bottom of the pile: {cards}", revealed: "Revealed by the Dummy Noble: {spaces}",
  },
  it: {
    round: "Round {round}", lastRound: "ultimo round", map: "La mappa", market: "Mercato", pile: "{n} carte nella pila", armies: "Pile di combattimento", army: "ne restano {n}",
    villages: "Villaggi", empty: "vuoto", theft: "finita: le carte combattimento gratis si possono rubare", seat: "Giocatore {n}", you: "tu", turn: "di turno", first: "primo giocatore",
    passed: "ha passato", gone: "ha lasciato", placed: "ha scelto", bars: "lingotti", nuggets: "pepite", material: "materiali", tokens: "gettoni magia",
    production: "Produzione: {left} a sinistra, {right} a destra", decks: "Mano {hand} · mazzo {deck} · mazzo combattimento {army}", inPlay: "In gioco", buildings: "Edifici",
    turned: "girato", upright: "diritto", territories: "Territori", exhausted: "Esauste", none: "nessuno", hand: "La tua mano", ownTokens: "I tuoi gettoni magia",
    under: "Sotto la tua plancia: sinistra {left}; destra {right}", ownDeck: "Nel tuo mazzo: {cards}", combat: "Combattimento su {space}", strength: "Forza {strength} di {needs}",
    resolved: "risolta", boxed: "nella scatola", lost: "sconfitta", nobles: "Nobili", dummy: "Nobile fittizio {noble}", spaceHidden: "{space}, {kind}, coperto, lati aperti {open}, tessere {tiles}",
    spaceEmpty: "{space}, {kind}, nessuno", spaceOpen: "{space}: {enemy}, {face}, lati aperti {open}, tessere {tiles}", sights: "Nemici in vista", dice: "Ultimo tiro: {faces}",
    over: "La partita è finita", defeat: "La sfida in solitario è persa", decides: "{who} decide", actions: "azioni principali fatte: {n}", box: "Nella scatola: {cards}", way: "lato aperto", water: "acqua",
    human: "Umano", elf: "Elfo", dwarf: "Nano", building: "Edificio", left: "sinistra", right: "destra", bank: "Banca: {n} gettoni magia coperti, usati in questo round: {used}", legend: "oro: lato aperto · blu: acqua",
    chosen: "Scelta per lo sviluppo: {card}, {side}", cards: "Mazzo, mano e produzione insieme: {cards}", fighters: "Nel mazzo combattimento: {cards}",
    buried: "In fondo alla pila: {cards}", revealed: "Rivelati dal nobile fittizio: {spaces}",
  },
};
