// A formula as MathML, which browsers draw themselves: no fonts and no style sheet are loaded. The library is loaded with the first formula.
import { useSyncExternalStore } from 'react'

type Katex = typeof import('katex').default

let loaded: Katex | null = null
let isLoading = false
const waiting = new Set<() => void>()

async function load(): Promise<void> {
  if (isLoading || loaded !== null) return
  isLoading = true
  try {
    loaded = (await import('katex')).default
    for (const tell of waiting) tell()
  } catch (error) {
    // The source is shown, and the next formula tries again.
    console.warn('formulas cannot be drawn', error)
  }
  isLoading = false
}

const subscribe = (tell: () => void) => {
  waiting.add(tell)
  void load()
  return () => waiting.delete(tell)
}

/** Longer ones are hardly formulas, and drawing them would take long. */
const longest = 4_000

export function Formula({ text, isBlock = false }: { text: string; isBlock?: boolean }) {
  const katex = useSyncExternalStore(
    subscribe,
    () => loaded,
    () => null,
  )
  const markup = katex === null ? null : markupOf(katex, text, isBlock)
  if (markup === null) return isBlock ? <p className="prose-formula font-mono">{text}</p> : <code>{text}</code>
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the library writes MathML only, with every text escaped; it trusts no commands.
  return <span className={isBlock ? 'prose-formula' : undefined} dangerouslySetInnerHTML={{ __html: markup }} />
}

/** Null if it is not a formula. */
function markupOf(katex: Katex, text: string, displayMode: boolean): string | null {
  if (text.length > longest) return null
  try {
    return katex.renderToString(text, {
      output: 'mathml',
      displayMode,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 200,
      maxSize: 20,
    })
  } catch {
    // An unknown command, or a formula that is still coming: its source is shown.
    return null
  }
}
