// Replaces texts by those of another language. A text is a string, or a function that returns one.

/** With any parameters. */
type TextFunction = (...given: never[]) => unknown
export type Text = string | TextFunction

/** `path`: the module, then the keys. Returns the English text if there is no other. */
export type Translate = (english: Text, path: readonly string[]) => Text

/** The texts of a language, by module and key. What is missing stays English. */
export type Catalog = { readonly [key: string]: Text | Catalog | readonly Text[] }

const done = new WeakSet<object>()

/** Whether an object has passed through `translateAll`. */
export function isTranslated(value: unknown): boolean {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && done.has(value)
}

/** All texts in `english`, which keeps its shape. Texts of another module that are part of it are translated only once. */
export function translateAll<T>(english: T, path: readonly string[], translate: Translate | null): T {
  const replaced = translate === null ? english : replace(english, path, translate)
  if ((typeof replaced === 'object' && replaced !== null) || typeof replaced === 'function') done.add(replaced)
  // Each text was replaced by one of the same kind.
  return replaced as T
}

export function fromCatalog(catalog: Catalog): Translate {
  return (english, path) => {
    let found: unknown = catalog
    for (const key of path)
      found = typeof found === 'object' && found !== null ? Object.entries(found).find(([name]) => name === key)?.[1] : null
    return isText(found) && typeof found === typeof english ? found : english
  }
}

function replace(english: unknown, path: readonly string[], translate: Translate): unknown {
  if (isText(english)) return typeof english === 'function' && done.has(english) ? english : marked(translate(english, path))
  if (typeof english !== 'object' || english === null || done.has(english)) return english
  const entries = Object.entries(english).map(([key, value]) => [key, replace(value, [...path, key], translate)] as const)
  return marked(Array.isArray(english) ? entries.map(([, value]) => value) : Object.fromEntries(entries))
}

function marked<Value>(value: Value): Value {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') done.add(value)
  return value
}

function isText(value: unknown): value is Text {
  return typeof value === 'string' || typeof value === 'function'
}
