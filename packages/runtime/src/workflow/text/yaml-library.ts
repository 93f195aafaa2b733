// The YAML library, loaded at its first use: most programs that start read no workflow, and loading it takes them a tenth of their start.
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

let loaded: typeof Yaml | null = null

export function yaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml
  return loaded
}
