const plain = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

export const numberText = (value: number) => plain.format(value);
export const shortNumber = (value: number) => short.format(value);
export const percentText = (value: number) => percent.format(value);
/** "1 lead", "2 leads", "2 deliveries" */
export const countText = (count: number, noun: string) =>
  `${plain.format(count)} ${count === 1 ? noun : `${noun}s`.replace(/([^aeiou])ys$/, '$1ies')}`;

/** "+15" and "−10": the sign says as much as the colour. */
export const pointsText = (points: number) =>
  points > 0 ? `+${plain.format(points)}` : plain.format(points).replace('-', '−');
