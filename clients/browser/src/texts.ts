/** What a visitor reads: that a lead was not sent, or that it waits. */
const texts: Record<string, readonly [string, string]> = {
  de: ['Nicht gesendet.', 'Warten auf Verbindung.'],
  fr: ['Non envoyé.', 'En attente de connexion.'],
  es: ['No enviado.', 'En espera de conexión.'],
  it: ['Non inviato.', 'In attesa di connessione.'],
};

/** In the language of the page, if it is one of these. */
export const textOf = (reason: string) =>
  (texts[document.documentElement.lang.slice(0, 2).toLowerCase()] ?? [
    'Not sent.',
    'Waiting for a connection.',
  ])[reason === 'offline' ? 1 : 0];
