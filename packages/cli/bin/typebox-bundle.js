// Loads TypeBox from the few files that setup bundled it into, if they exist; see scripts/setup/bundle.js.
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const entries = { typebox: 'typebox.js', 'typebox/compile': 'compile.js', 'typebox/value': 'value.js' }

export function useTypeboxBundle() {
  const folder = bundledFolder()
  if (!folder) return
  registerHooks({
    resolve(specifier, context, next) {
      const entry = Object.hasOwn(entries, specifier) ? entries[specifier] : undefined
      return entry ? { url: new URL(entry, folder).href, format: 'module', shortCircuit: true } : next(specifier, context)
    },
  })
}

function bundledFolder() {
  try {
    const installed = new URL('../../../node_modules/typebox/package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(installed, 'utf8'))
    const folder = new URL(`../../../.cache/bundled/typebox-${version}/`, import.meta.url)
    return existsSync(new URL('complete', folder)) ? folder : undefined
  } catch {
    // Installed in another way: Node resolves it itself.
    return undefined
  }
}
