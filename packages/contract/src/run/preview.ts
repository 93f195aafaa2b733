// How much of a call its preview shows. Longer parts are marked as cut; the arguments of the approval are complete.

export const previewLimits = {
  text_characters: 64 * 1024,
  body_characters: 16 * 1024,
  paths: 100,
  parts: 60,
} as const

/** What a call can do with a page in the browser. */
export const pageActions = ['open', 'click', 'type', 'type_and_submit', 'select', 'run'] as const
export type PageAction = (typeof pageActions)[number]

/** At most `most` characters of a text, never half a character. */
export function cutText(text: string, most: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= most) return { text, cut: false }
  const beginning = text.slice(0, most)
  return { text: /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning, cut: true }
}
