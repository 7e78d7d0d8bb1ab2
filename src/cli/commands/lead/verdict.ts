const colours: Readonly<Record<string, 'green' | 'yellow' | 'red'>> = {
  clean: 'green',
  suspect: 'yellow',
  spam: 'red',
};

export function verdictColour(verdict: string): 'green' | 'yellow' | 'red' {
  return colours[verdict] ?? 'yellow';
}
