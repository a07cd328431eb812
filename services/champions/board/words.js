// What does the board say besides the words of the game? Short captions, in English and Italian.

export const WORDS = {
  en: {
    round: "Round {round} of {rounds}", point: "{n} point", points: "{n} points", who: "Who {situation}?", tie: "A tie goes to the {symbol}",
    byTie: "decided by the symbol", winner: "wins", out: "out", free: "still free", replaced: "another name is on its way", circle: "circle",
    triangle: "triangle", quarter_final: "Quarter-finals", semi_final: "Semi-finals", final: "Final", scores: "Score boards", player: "Player",
    bonus: "Champion bonus", bonusShort: "Bonus", roundShort: "R{round}", roundLong: "Round {round}", total: "Score", ready: "ready", absent: "absent",
    left: "left", you: "you", champion: "Champion of round {round}", voteFor: "Vote for {name}, the {symbol}", yourVote: "your vote card",
    votes: "{n} votes", vote: "{n} vote", abstained: "Abstained: {who}", audience: "Audience {n}", pickChampion: "Make {name} my champion",
    yourChampion: "your champion", mark: "I do not know {name}", note: "you expect {name} to win", noteHere: "you expect {name} here",
    predictions: "Predicted {name}", noPrediction: "No prediction", tiles: "Your tiles", tile: "Tile {n}", blank: "not written yet", sheet: "Your sheet: {sheet}",
    clash: "another name instead of “{former}”", written: "Names are being written", circled: "circled", crossed: "crossed out", open: "open",
    place: "Place {place}", over: "The game is over", unfinished: "The game ended early", versus: "or", authors: "Who wrote which name", nobody: "a sheet",
    used: "Names of round 1, which cannot come back: {names}", crowd: "The crowd alone decides", shadow: "With an audience that decides nothing", bloc: "With an audience whose majority is one more vote", equal: "With an audience whose votes count like a player’s",
    scroll: "The tournament, column by column", board: "The tournament",
  },
  it: {
    round: "Round {round} di {rounds}", point: "{n} punto", points: "{n} punti", who: "Chi {situation}?", tie: "In parità vince il {symbol}",
    byTie: "deciso dal simbolo", winner: "vince", out: "fuori", free: "ancora libero", replaced: "arriva un altro nome", circle: "cerchio",
    triangle: "triangolo", quarter_final: "Quarti di finale", semi_final: "Semifinali", final: "Finale", scores: "Punteggi", player: "Giocatore",
    bonus: "Bonus campione", bonusShort: "Bonus", roundShort: "R{round}", roundLong: "Round {round}", total: "Punti", ready: "pronto", absent: "assente",
    left: "ha lasciato", you: "tu", champion: "Campione del round {round}", voteFor: "Vota per {name}, il {symbol}", yourVote: "la tua carta voto",
    votes: "{n} voti", vote: "{n} voto", abstained: "Astenuti: {who}", audience: "Pubblico {n}", pickChampion: "{name} è il mio campione",
    yourChampion: "il tuo campione", mark: "Non conosco {name}", note: "ti aspetti che vinca {name}", noteHere: "qui ti aspetti {name}",
    predictions: "Previsto {name}", noPrediction: "Nessuna previsione", tiles: "Le tue tessere", tile: "Tessera {n}", blank: "non ancora scritta", sheet: "La tua scheda: {sheet}",
    clash: "un altro nome al posto di “{former}”", written: "Si scrivono i nomi", circled: "cerchiato", crossed: "barrato", open: "aperto",
    place: "Posto {place}", over: "La partita è finita", unfinished: "La partita è finita prima", versus: "o", authors: "Chi ha scritto quale nome", nobody: "una scheda",
    used: "Nomi del round 1, che non possono tornare: {names}", crowd: "Decide solo il pubblico", shadow: "Con un pubblico che non decide nulla", bloc: "Con un pubblico la cui maggioranza vale un voto in più", equal: "Con un pubblico i cui voti contano come quelli dei giocatori",
    scroll: "Il torneo, colonna per colonna", board: "Il torneo",
  },
};
