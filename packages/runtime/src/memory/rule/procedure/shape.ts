// The shape of a call's arguments: their names and what kind of value each is, never a value. Pure.

const longest = 500
const mostNames = 20
const mostLevels = 3

/** For example `{command: text, cwd: path}`. Arguments that are not a JSON object have the shape `text`. */
export function argumentShape(json: string): string {
  return shapeOf(parsed(json), 0).slice(0, longest)
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // A model can write anything; text that is not JSON is one text.
    return json
  }
}

function shapeOf(value: unknown, level: number): string {
  if (value === null) return 'nothing'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'yes or no'
  if (typeof value === 'string') return textShape(value)
  if (level >= mostLevels) return 'data'
  if (Array.isArray(value)) {
    const shapes = new Set(value.map((item) => shapeOf(item, level + 1)))
    return shapes.size === 0 ? 'empty list' : `list of ${shapes.size === 1 ? [...shapes][0] : 'data'}`
  }
  if (typeof value !== 'object') return 'data'
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  // Names that are no identifiers are data, for example the headers or the files of a map.
  if (entries.length > mostNames || entries.some(([name]) => !/^[a-z][a-z_]{0,39}$/i.test(name))) return 'data'
  return `{${entries.map(([name, item]) => `${name}: ${shapeOf(item, level + 1)}`).join(', ')}}`
}

function textShape(text: string): string {
  if (/^https?:\/\//i.test(text)) return 'address'
  if (/^\S+$/.test(text) && text.length <= 300 && /^(?:[~.]{0,2}\/|[A-Za-z]:\\)|[\\/]|^[\w-]+\.[a-z0-9]{1,5}$/.test(text)) return 'path'
  return text.includes('\n') ? 'lines' : 'text'
}
