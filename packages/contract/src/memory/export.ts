/** The lists of an export. Version 1 had only memories. */
export const memoryExportParts = ['memories', 'versions', 'decisions', 'corrections'] as const
export type MemoryExportPart = (typeof memoryExportParts)[number]
