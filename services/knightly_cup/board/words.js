// What does the board say besides the words of the game? Short captions, in English and Italian.

export const WORDS = {
  en: {
    round: "Round {round} of {rounds}", you: "you", player: "Player", moves: "{n} moves left", move: "1 move left", coins: "coins", coin: "{n} coins", dice: "{n} combat dice",
    map: "The map", scroll: "The map; it scrolls", faceDown: "face down", laidBy: "laid by {who}", known: "you remember {card}", stale: "you remember {card}, but elves have been about", stock: "in stock: {items}",
    hoard: "hoard: {what}", layHere: "Lay a card here", goHere: "Go {way}", hide: "Hide the elves here", standing: "on it: {who}", hand: "Your hand", pickCard: "First choose a card, then a position on the map",
    chosen: "chosen", knights: "The knights", home: "home suit", items: "Items", standards: "Standards", lacks: "lacks", has: "has", asylum: "claims asylum", waives: "waives asylum", willClaim: "will claim it from the next turn on", willWaive: "will waive it from the next turn on", won: "combats won: {n}", sheltered: "sheltered by the {type}",
    begged: "has begged", resigned: "has resigned", place: "Place {place}", cards: "{n} cards in hand", movement: "Movement", monster: "Monster", defence: "Defence", attack: "Attack", again: "rolled again", target: "target {n}",
    combat: "Combat, round {n}", guardian: "Guardian", storm: "Storm, round {n}", bid: "{who} bids {n}", bidding: "Bribe for {who}", offer: "{who} offers {to}", gives: "gives", takes: "takes", nothing: "nothing",
    challenge: "Ultimate Challenge", beaten: "beaten: {who}", none: "nobody yet", winner: "{who} wins the Knightly Cup!", cap: "The last round is over", aside: "Set aside: {cards}", stores: "Standards in their Fortresses",
    barred: "The way is barred by {who}", elves: "Elves on the move so far: {n}", legend: "What costs what", supply: "{n} in the Bank", gateways: "Gateways that lie opposite", row: "column {x}, row {y}", strength: "strength {n}",
  },
  it: {
    round: "Giro {round} di {rounds}", you: "tu", player: "Giocatore", moves: "{n} mosse rimaste", move: "1 mossa rimasta", coins: "monete", coin: "{n} monete", dice: "{n} dadi di combattimento",
    map: "La mappa", scroll: "La mappa; si può scorrere", faceDown: "coperta", laidBy: "posata da {who}", known: "ricordi {card}", stale: "ricordi {card}, ma gli elfi sono passati", stock: "merce: {items}",
    hoard: "tesoro: {what}", layHere: "Posa qui una carta", goHere: "Vai {way}", hide: "Nascondi qui gli elfi", standing: "sopra: {who}", hand: "La tua mano", pickCard: "Scegli prima una carta, poi una posizione sulla mappa",
    chosen: "scelta", knights: "I cavalieri", home: "seme di casa", items: "Oggetti", standards: "Stendardi", lacks: "manca", has: "ha", asylum: "chiede asilo", waives: "rinuncia all'asilo", willClaim: "lo chiederà dal prossimo turno", willWaive: "vi rinuncerà dal prossimo turno", won: "combattimenti vinti: {n}", sheltered: "al riparo: {type}",
    begged: "ha mendicato", resigned: "si è ritirato", place: "Posto {place}", cards: "{n} carte in mano", movement: "Movimento", monster: "Mostro", defence: "Difesa", attack: "Attacco", again: "tirato di nuovo", target: "obiettivo {n}",
    combat: "Combattimento, round {n}", guardian: "Guardiano", storm: "Assalto, round {n}", bid: "{who} offre {n}", bidding: "Corruzione per {who}", offer: "{who} propone a {to}", gives: "dà", takes: "prende", nothing: "niente",
    challenge: "Sfida Suprema", beaten: "battuti: {who}", none: "ancora nessuno", winner: "{who} vince la Knightly Cup!", cap: "L'ultimo giro è finito", aside: "Messe da parte: {cards}", stores: "Stendardi nelle loro Fortezze",
    barred: "La strada è sbarrata da {who}", elves: "Elfi in movimento finora: {n}", legend: "Quanto costa che cosa", supply: "{n} in Banca", gateways: "Portali opposti", row: "colonna {x}, riga {y}", strength: "forza {n}",
  },
};
