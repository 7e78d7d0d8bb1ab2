/** What the secrets of an owner's provider are sealed for, so that neither can stand in for the other or move. */
export function headerSecretOwner(workspaceId: string): string {
  return `enrichment-provider-header:${workspaceId}`;
}

export function signingSecretOwner(workspaceId: string): string {
  return `enrichment-provider-signing:${workspaceId}`;
}
