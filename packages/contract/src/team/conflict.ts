// What two sides of a merge can disagree about, and what a person can decide.

/**
 * `lines`: both changed the same lines. `content`: both changed a file that has no lines to merge, or whose earlier content is not known.
 * `deleted`: one deleted what the other changed. `renamed`: both renamed it differently, or two files have the same new name. `mode`: both
 * changed its permissions. `type`: one has a folder or a link where the other has a file.
 */
export const conflictKinds = ['lines', 'content', 'deleted', 'renamed', 'mode', 'type'] as const
export type ConflictKind = (typeof conflictKinds)[number]

/** How a conflict is resolved. `both`: first the current lines, then those of the member. `text`: the text that is given. */
export const conflictChoices = ['current', 'member', 'both', 'text'] as const
export type ConflictChoice = (typeof conflictChoices)[number]
