/** What leads can be sorted by, besides `field.<key>`. */
export const sortNames = ['received', 'score', 'grade', 'verdict', 'form'] as const;
