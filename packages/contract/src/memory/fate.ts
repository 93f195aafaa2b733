/**
 * What has become of a memory since a run used it. `corrected`: the user edited or corrected it. `replaced`: another memory is used in its
 * place. `forgotten`: it was erased, and nothing is known of it but its id.
 */
export const memoryFates = ['active', 'corrected', 'replaced', 'archived', 'forgotten'] as const
export type MemoryFate = (typeof memoryFates)[number]
