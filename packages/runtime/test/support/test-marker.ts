// Looks for a text in every file of a folder: what was erased must be nowhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that contain it, in UTF-8 or UTF-16, by their path. */
export function filesWith(folder: string, marker: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file)
      return bytes.includes(marker) || bytes.includes(Buffer.from(marker, 'utf16le'))
    })
}
