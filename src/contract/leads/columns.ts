/** Columns that every lead has; field columns are named `field.<key>`. */
export const ownColumns = ['received', 'verdict', 'score', 'form'] as const;
export const fieldColumnPrefix = 'field.';

export const columnsMax = 500;
export const columnIdCharactersMax = 1_000;
/** In pixels. */
export const columnWidthMin = 60;
export const columnWidthMax = 800;
