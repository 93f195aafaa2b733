// The name of a skill on this device. The standard allows lowercase letters, digits and hyphens; other names are used in that form.
import { createHash } from 'node:crypto'

const standard = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const longest = 64

function isStandardName(name: string): boolean {
  return name.length <= longest && standard.test(name)
}

/** `PDF Forms` becomes `pdf-forms`. A name without a Latin letter or digit becomes the beginning of its hash. */
export function usableName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longest)
    .replace(/-$/, '')
  return plain || `skill-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}

/** What is unusual about the name; null if nothing is. */
export function nameNote(name: string, folder: string): string | null {
  const used = usableName(name)
  const shown = JSON.stringify(name.slice(0, 200))
  if (name.length > longest)
    return `The name ${shown} has ${name.length} characters, and the standard allows ${longest}; it is used as ${used}.`
  if (!isStandardName(name)) {
    const other = used === usableName(folder) ? '' : ` It is not that of its folder, ${JSON.stringify(folder.slice(0, 200))}.`
    return `The name ${shown} is not made of lowercase letters, digits and single hyphens; it is used as ${used}.${other}`
  }
  return name === folder ? null : `The name ${name} is not that of its folder, ${JSON.stringify(folder.slice(0, 200))}.`
}
