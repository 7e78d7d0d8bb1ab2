/** An error that says which row of a list it is about, because its place in the input is hard to count. */
export function inRow(name: string, rule: string) {
  return {
    error: ({ path }: { readonly path?: readonly PropertyKey[] | undefined }) => {
      const place = path?.find((part) => typeof part === 'number');
      return place === undefined ? rule : `${name} ${Number(place) + 1}: ${rule}`;
    },
  };
}
