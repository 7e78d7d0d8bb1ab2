/** What every message says, and what the previews in the settings area repeat. */
export const openLeadText = 'Open in Leadgate';

/** Why someone gets an email. */
export function reasonText(destinationName: string): string {
  return `You get this email because your address is a recipient of the destination "${destinationName}" in Leadgate.`;
}
