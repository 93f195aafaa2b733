// The placeholders of a text: `{{inputs.NAME}}`, `{{nodes.ID.output}}`, `{{nodes.ID.error}}`, `{{loops.ID.item}}`, `{{loops.ID.index}}`,
// each with a path such as `.files[0].name`.

export type Reference = { readonly path: readonly (string | number)[] } & (
  | { readonly of: 'inputs'; readonly name: string }
  | { readonly of: 'nodes'; readonly name: string; readonly field: 'output' | 'error' }
  | { readonly of: 'loops'; readonly name: string; readonly field: 'item' | 'index' }
)

/** A piece of a text, as it is or to be filled in; `invalid` has the form of a placeholder and is none. */
export type TemplatePart = { readonly text: string } | { readonly reference: Reference } | { readonly invalid: string }

const placeholder = /\{\{([^{}]*)\}\}/g
const form =
  /^(?:(inputs)\.([a-z][a-z0-9_]{0,63})|(nodes|loops)\.([a-z][a-z0-9_]{0,63})\.(output|error|item|index))((?:\.[A-Za-z_][\w-]*|\[\d{1,9}\])*)$/
const steps = /\.([A-Za-z_][\w-]*)|\[(\d+)\]/g

export function templateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let from = 0
  for (const match of template.matchAll(placeholder)) {
    if (match.index > from) parts.push({ text: template.slice(from, match.index) })
    const reference = referenceOf((match[1] ?? '').trim())
    parts.push(reference ? { reference } : { invalid: match[0] })
    from = match.index + match[0].length
  }
  const rest = template.slice(from)
  if (rest !== '') parts.push({ text: rest })
  return parts
}

/** The reference of a text that consists of one placeholder: such a text becomes the value, whatever its type is. */
export function wholeReference(template: string): Reference | null {
  const [part, ...others] = templateParts(template)
  return part && 'reference' in part && others.length === 0 ? part.reference : null
}

export function referenceText({ of, name, path, ...rest }: Reference): string {
  const field = 'field' in rest ? `.${rest.field}` : ''
  return `${of}.${name}${field}${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`
}

function referenceOf(text: string): Reference | null {
  const match = form.exec(text)
  if (!match) return null
  const [, inputs, input = '', of, name = '', field, way = ''] = match
  const path = [...way.matchAll(steps)].map(([, key, index]) => (key === undefined ? Number(index) : key))
  if (inputs) return { of: 'inputs', name: input, path }
  if (of === 'nodes' && (field === 'output' || field === 'error')) return { of, name, field, path }
  if (of === 'loops' && (field === 'item' || field === 'index')) return { of, name, field, path }
  return null
}

/** The part of a value that a path leads to; undefined if there is none. Only what the value itself has is found. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value
  for (const step of path) {
    if (typeof step === 'number' ? !Array.isArray(current) : !isPlain(current)) return undefined
    if (!Object.hasOwn(current as object, step)) return undefined
    current = (current as Record<string | number, unknown>)[step]
  }
  return current
}

/** The text with its placeholders filled in. What is filled in is not looked at again. */
export function filled(template: string, lookUp: (reference: Reference) => unknown): unknown {
  const whole = wholeReference(template)
  if (whole) return lookUp(whole) ?? null
  return templateParts(template)
    .map((part) => {
      if ('text' in part) return part.text
      return 'reference' in part ? textOf(lookUp(part.reference)) : part.invalid
    })
    .join('')
}

/** Fills in all texts of a JSON value. Names of fields are not templates. */
export function filledJson(value: unknown, lookUp: (reference: Reference) => unknown): unknown {
  if (typeof value === 'string') return filled(value, lookUp)
  if (Array.isArray(value)) return value.map((item) => filledJson(item, lookUp))
  if (!isPlain(value)) return value
  // A field may be named __proto__.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledJson(item, lookUp)]))
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
