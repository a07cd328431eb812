// What does the board say besides the words of the game? Short captions, in English and Italian.

export const WORDS = {
  en: {
    round: "Round {round} of 6", player: "Player", automa: "The Automa", you: "you", coins: "{n} coins", finance: "Finance track", hand: "Your hand", cards: "{n} cards in hand",
    supporter: "Your supporter", offered: "Choose a supporter", play: "Play {name}", keep: "Keep {name}", drop: "Discard {name}", train: "Train {token}", better: "Improve {token}", take: "Take {token}", shed: "Discard {token}",
    develop: "Develop to {level}", scout: "Scout", stadium: "Stadium", slot: "Slot {n}", base: "base Champion", faces: "scores with {faces}", bench: "Bench", fame: "Fame", attack: "Attack {n}", defense: "Defense {n}",
    supply: "Supply", sponsors: "Sponsor {n}", team: "Team board of {who}", matches: "Matches", track: "{field}: the track", pause: "Break", flipped: "flipped", blocked: "blocked", missed: "missed", scored: "scored",
    shot: "value {value}, slot {slot}, dice {dice}", value: "value {value}", nodice: "no roll", standings: "Standings", won: "W", drawn: "D", lost: "L", goals: "Goals", wonLong: "won", drawnLong: "drawn", lostLong: "lost", versus: "against", left: "has left", ready: "ready", deciding: "deciding",
    total: "Total", finalist: "finalist", winner: "{who} wins the Golden Cup!", penalties: "Penalty shots", waiting: "Its next tokens", calendar: "Calendar", choose: "Line up", exchange: "Press a place, then another one: the two change places.", chosen: "Your answer: {answer}", nothing: "none", decks: "Decks", deck: "{cards} cards, {pile} discarded",
    inPlay: "What the champions do", onBoards: "On the boards", coinsBy: "Coins of the Stadium", winBy: "Fame for a win, with the difference on top", costBy: "Price of the Stadium", endBy: "A match ends on space", fameBy: "Fame at the end by Finance space", rounds: "rounds 1 to 6",
    held: "Fame held", endgame: "Champions", money: "Finance", support: "Supporter", tokens: "Tokens", opponent: "This round",
  },
  it: {
    round: "Turno {round} di 6", player: "Giocatore", automa: "L'Automa", you: "tu", coins: "{n} monete", finance: "Tracciato delle finanze", hand: "La tua mano", cards: "{n} carte in mano",
    supporter: "Il tuo tifoso", offered: "Scegli un tifoso", play: "Gioca {name}", keep: "Tieni {name}", drop: "Scarta {name}", train: "Allena {token}", better: "Migliora {token}", take: "Prendi {token}", shed: "Scarta {token}",
    develop: "Sviluppa: {level}", scout: "Scout", stadium: "Stadio", slot: "Posizione {n}", base: "campione base", faces: "segna con {faces}", bench: "Panchina", fame: "Fama", attack: "Attacco {n}", defense: "Difesa {n}",
    supply: "Riserva", sponsors: "Sponsor {n}", team: "Plancia di {who}", matches: "Partite", track: "{field}: il tracciato", pause: "Pausa", flipped: "girato", blocked: "bloccato", missed: "sbagliato", scored: "segnato",
    shot: "valore {value}, posizione {slot}, dadi {dice}", value: "valore {value}", nodice: "senza dado", standings: "Classifica", won: "V", drawn: "N", lost: "P", goals: "Reti", wonLong: "vinte", drawnLong: "pari", lostLong: "perse", versus: "contro", left: "ha lasciato", ready: "pronto", deciding: "sta decidendo",
    total: "Totale", finalist: "finalista", winner: "{who} vince la Coppa d'Oro!", penalties: "Rigori", waiting: "I suoi prossimi gettoni", calendar: "Calendario", choose: "Schiera", exchange: "Premi un posto e poi un altro: i due si scambiano.", chosen: "La tua risposta: {answer}", nothing: "nessuno", decks: "Mazzi", deck: "{cards} carte, {pile} scartate",
    inPlay: "Che cosa fanno i campioni", onBoards: "Sulle plance", coinsBy: "Monete dello Stadio", winBy: "Fama per una vittoria, più la differenza", costBy: "Prezzo dello Stadio", endBy: "Una partita finisce sullo spazio", fameBy: "Fama alla fine per spazio delle finanze", rounds: "turni da 1 a 6",
    held: "Fama in mano", endgame: "Campioni", money: "Finanze", support: "Tifoso", tokens: "Gettoni", opponent: "Questo turno",
  },
};
