// Which arguments of a call come from the output of an earlier one.

/** Shorter texts may be equal by chance. */
const shortest = 20
const mostTexts = 2_000

/** The texts of an output by themselves, each with the path to it as in a placeholder. */
export function textsOf(output: unknown): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const look = (value: unknown, path: string): void => {
    if (texts.size >= mostTexts) return
    if (typeof value === 'string') {
      if (value.length >= shortest && !texts.has(value)) texts.set(value, path)
    } else if (Array.isArray(value)) for (const [index, item] of value.entries()) look(item, `${path}[${index}]`)
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) if (/^[A-Za-z_][\w-]*$/.test(key)) look(item, `${path}.${key}`)
  }
  look(output, '')
  return texts
}

/** The placeholder for a text that an earlier call returned, from the latest of them; null if none did. */
export function placeholderTo(
  text: string,
  earlier: readonly { readonly id: string; readonly texts: ReadonlyMap<string, string> }[],
): string | null {
  if (text.length < shortest) return null
  const from = earlier.findLast(({ texts }) => texts.has(text))
  return from ? `{{nodes.${from.id}.output${from.texts.get(text)}}}` : null
}
