// What does the board say besides the words of the game? Short captions, in English and Italian.

export const WORDS = {
  en: {
    round: "Round {round}", target: "{target} points, or {cap} matches, bring on the last round", last: "Last round", turn: "{who} to play", you: "you", player: "Player {n}",
    table: "Championship table", points: "Points", marker: "Goal actions", matches: "Match", cash: "Cash", goods: "Tokens, cups, cards", die: "die", event: "event",
    ring: "The ring of squares", pitch: "Goal actions and results", track: "Goal-action track from {low} to {high}", cups: "Cups", bank: "Bank", bankHolds: "The Bank holds {amount}", at: "at {n} points", ceded: "waits to be ceded",
    visit: "a visit is worth {n}", suspended: "suspended", complete: "complete team", price: "price {n}", goals: "goal actions {n}", here: "here: {who}", owner: "of {who}",
    hidden: "hidden", left: "has left", leaving: "is leaving", place: "Place {n}, wealth {wealth}", over: "The game is over", roll: "Dice: {a} and {b}", outcome: "Outcome die: {face}",
    drawn: "Card drawn this turn", deck: "{n} cards", supply: "Supply: {die} die, {event} event", now: "Now", until: "until the match ends", none: "none",
    auction: "Auction of {thing}", highest: "Highest bid {amount} by {who}", opening: "Opens at {amount}", bidding: "Still bidding: {who}", from: "from {who}",
    purchase: "{thing} is for sale at {amount}", demand: "{who} may answer the purchase of {thing} with a reserved auction", match_end: "The whistle: end of the match of {who}",
    outcomeOf: "{who} may turn the {face} die green", visitTo: "A visit to {thing} of {who}", bonus: "Cup bonus for {who}", pick: "{who} picks a tile to be suspended", scouting: "Any unowned tile may be bought",
    bet: "Capital increase", betMoney: "Capital increase: {amount} at stake", betGoals: "Capital increase: {n} goal actions at stake", shortfall: "{who} owes {amount} and sells", placing: "{who} places the {thing}", offer: "A deal is offered to {who}", gives: "gives",
    reactions: "Waiting for the reactions of {who}", reaction: "Your reaction: {by}", chosen: "chosen: {who}", hits: "The card concerns {who}", million: "{n} M",
    win: "W", draw: "D", loss: "L", winLong: "win", drawLong: "draw", lossLong: "loss", buyFor: "Buy {name}", chooseThis: "Choose {name}",
    defence: "DEF", midfield: "MID", attack: "ATT", results: "Read the column of the marker at the colour of the outcome die", count: "{n} finished",
  },
  it: {
    round: "Giro {round}", target: "{target} punti, o {cap} partite, aprono l’ultimo giro", last: "Ultimo giro", turn: "Tocca a {who}", you: "tu", player: "Giocatore {n}",
    table: "Classifica", points: "Punti", marker: "Azioni", matches: "Partita", cash: "Contanti", goods: "Gettoni, coppe, carte", die: "dado", event: "evento",
    ring: "Il percorso", pitch: "Azioni da goal e risultati", track: "Scala delle azioni da goal da {low} a {high}", cups: "Coppe", bank: "Banca", bankHolds: "La Banca ha {amount}", at: "a {n} punti", ceded: "attende di essere ceduta",
    visit: "una visita vale {n}", suspended: "squalificata", complete: "squadra completa", price: "prezzo {n}", goals: "azioni da goal {n}", here: "qui: {who}", owner: "di {who}",
    hidden: "nascosti", left: "ha lasciato", leaving: "sta lasciando", place: "Posto {n}, patrimonio {wealth}", over: "Il gioco è finito", roll: "Dadi: {a} e {b}", outcome: "Dado esito: {face}",
    drawn: "Carta pescata in questo turno", deck: "{n} carte", supply: "Riserva: {die} dado, {event} evento", now: "Adesso", until: "fino alla fine della partita", none: "nessuno",
    auction: "Asta per {thing}", highest: "Offerta più alta {amount} di {who}", opening: "Parte da {amount}", bidding: "Ancora in asta: {who}", from: "di {who}",
    purchase: "{thing} è in vendita a {amount}", demand: "{who} può rispondere all’acquisto di {thing} con un’asta riservata", match_end: "Il fischietto: fine partita di {who}",
    outcomeOf: "{who} può far diventare verde il dado {face}", visitTo: "Visita a {thing} di {who}", bonus: "Bonus coppa per {who}", pick: "{who} sceglie una tessera da squalificare", scouting: "Si può comprare una tessera libera",
    bet: "Aumento di capitale", betMoney: "Aumento di capitale: in gioco {amount}", betGoals: "Aumento di capitale: azioni da goal in gioco {n}", shortfall: "{who} deve {amount} e vende", placing: "{who} posiziona: {thing}", offer: "Uno scambio è proposto a {who}", gives: "dà",
    reactions: "Si attendono le reazioni di {who}", reaction: "La tua reazione: {by}", chosen: "scelto: {who}", hits: "La carta riguarda {who}", million: "{n} M",
    win: "V", draw: "P", loss: "S", winLong: "vittoria", drawLong: "pareggio", lossLong: "sconfitta", buyFor: "Compra {name}", chooseThis: "Scegli {name}",
    defence: "DIF", midfield: "CEN", attack: "ATT", results: "Si legge la colonna dell’indicatore al colore del dado esito", count: "{n} finite",
  },
};
