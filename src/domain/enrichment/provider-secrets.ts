/** The owner that each secret of an external provider is encrypted for, so that neither can be swapped or moved. */
export function headerSecretOwner(workspaceId: string): string {
  return `enrichment-provider-header:${workspaceId}`;
}

export function signingSecretOwner(workspaceId: string): string {
  return `enrichment-provider-signing:${workspaceId}`;
}
