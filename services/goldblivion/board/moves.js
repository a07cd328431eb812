// What can be done with a thing on the table? The choices on offer, written out one by one, so that a card or a space can be pressed.

/** Every choice with every value of its fields: `{do, fields, text}`; numbers are left to the list beside the picture. */
export function movesOf(choices) {
  return choices.flatMap((choice) => {
    const fields = Object.entries(choice.fields ?? {});
    if (fields.some(([, shape]) => !Array.isArray(shape.of))) return [];
    return product(fields).map((taken) => ({
      do: choice.do,
      fields: Object.fromEntries(taken.map(([name, member]) => [name, member.value])),
      text: choice.label,
      members: taken.map(([, member]) => member.label),
    }));
  });
}

function product(fields) {
  return fields.reduce((rows, [name, shape]) => rows.flatMap((row) => shape.of.map((member) => [...row, [name, member]])), [[]]);
}

/** The moves of these kinds whose field holds this value. */
export function about(moves, kinds, field, value) {
  return moves.filter((move) => kinds.includes(move.do) && move.fields[field] === value);
}
