const names: Readonly<Record<string, readonly string[]>> = {
  en: ['Karen Doyle', 'Tom Whitaker', 'Priya Nair', 'James Osei', 'Lucy Hart', 'Mark Ellison'],
  de: ['Sabine Krüger', 'Jonas Weber', 'Petra Lang', 'Uwe Brandt', 'Miriam Vogt'],
  fr: ['Claire Moreau', 'Julien Petit', 'Nadia Benali', 'Luc Fournier'],
  es: ['Marta Ruiz', 'Javier Ortega', 'Lucía Vidal', 'Pablo Herrera'],
  pt: ['Ana Teixeira', 'Rui Carvalho', 'Beatriz Lopes', 'Marcos Lima'],
  it: ['Giulia Conti', 'Marco Ferri', 'Elena Greco', 'Paolo Villa'],
  nl: ['Sanne de Wit', 'Jeroen Bakker', 'Femke Visser', 'Bart Mulder'],
  pl: ['Anna Wrona', 'Piotr Zając', 'Ewa Lis', 'Tomasz Baran'],
  tr: ['Elif Kaya', 'Murat Şahin', 'Zeynep Aydın', 'Can Polat'],
  ru: ['Ольга Белова', 'Сергей Орлов', 'Мария Зимина', 'Алексей Титов'],
};
const cities: Readonly<Record<string, readonly string[]>> = {
  en: ['Leeds', 'Denver', 'Cork', 'Perth', 'Bristol'],
  de: ['Kassel', 'Linz', 'Ulm', 'Bremen'],
  fr: ['Nantes', 'Lille', 'Grenoble', 'Liège'],
  es: ['Murcia', 'Bilbao', 'Rosario', 'Puebla'],
  pt: ['Braga', 'Curitiba', 'Recife', 'Aveiro'],
  it: ['Parma', 'Bari', 'Trento', 'Verona'],
  nl: ['Breda', 'Zwolle', 'Gent', 'Tilburg'],
  pl: ['Lublin', 'Gdynia', 'Opole', 'Toruń'],
  tr: ['Bursa', 'Konya', 'Adana', 'İzmir'],
  ru: ['Казань', 'Самара', 'Тверь', 'Пермь'],
};
const firms = [
  'Halden',
  'Norvia',
  'Brightline',
  'Kestrel & Sons',
  'Ostrava Tools',
  'Lumen Works',
  'Delmar',
  'Quantec',
];
const words = [
  'harbor',
  'linden',
  'metal',
  'north',
  'garden',
  'swift',
  'clear',
  'union',
  'stone',
  'vega',
  'motion',
];
const endings = ['com', 'net', 'de', 'co.uk', 'fr', 'io'];
const spamEndings = ['com', 'top', 'xyz', 'net', 'site', 'ru', 'info', 'shop'];
const months = ['March', 'May', 'June', 'October', 'November'];
const currencies = ['$', '€', '£'];

/** What stands for a slot such as `<city>`. The links of unwanted texts look like those of spammers. */
export function slotValue(slot: string, language: string, isWanted: boolean, random: () => number): string {
  const pick = (options: readonly string[]) => options[Math.floor(random() * options.length)] ?? '';
  const number = (from: number, to: number) => Math.floor(from + random() * (to - from));
  const site = () =>
    `${pick(words)}${pick(['-', ''])}${pick(words)}.${pick(isWanted ? endings : spamEndings)}`;
  const makers: Readonly<Record<string, () => string>> = {
    name: () => pick(names[language] ?? []),
    firm: () => pick(firms),
    city: () => pick(cities[language] ?? []),
    site,
    link: () =>
      `https://${isWanted ? 'www.' : ''}${site()}/${pick(words)}${isWanted ? '' : `?id=${number(100, 99_999)}`}`,
    n: () => String(number(2, 60)),
    big: () => String(number(1_000, 90_000)),
    money: () => `${pick(currencies)}${number(20, 9_000)}`,
    date: () => `${number(1, 28)} ${pick(months)}`,
    phone: () => `+${number(30, 49)} ${number(20, 999)} ${number(100_000, 9_999_999)}`,
    mail: () => `${pick(words)}@${site()}`,
    code: () => `${pick(['A', 'INV-', 'TK', 'RMA '])}${number(10_000, 999_999)}`,
  };
  const make = makers[slot];
  if (make === undefined) throw new Error(`unknown slot <${slot}>`);
  return make();
}
