// Offers the suggestions for the cursor in the editor.
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  startCompletion,
} from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { visibleText } from '../../text/visible.ts'
import type { KnownNames, Suggestion } from './suggestion.ts'
import { suggestionsAt } from './suggestions.ts'

export function completionsAt({ state, pos, explicit }: CompletionContext, known: KnownNames): CompletionResult | null {
  const text = state.doc.toString()
  const found = suggestionsAt(text, pos, known)
  // Without being asked, only where the user has begun to write, or after a colon.
  if (!found || (!explicit && found.from === pos && !/[:>] $/.test(text.slice(Math.max(0, pos - 2), pos)))) return null
  return { from: found.from, to: found.to, validFor: found.validFor, options: found.options.map(completionOf) }
}

function completionOf({ label, insert = label, detail, info }: Suggestion, at: number): Completion {
  return {
    label,
    // In their order, as far as they fit equally well.
    boost: -Math.min(at, 99),
    ...(detail === undefined ? {} : { detail }),
    ...(info === undefined ? {} : { info: visibleText(info) }),
    apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
      view.dispatch(insertCompletionText(view.state, insert, from, to))
      if (/\s$/.test(insert)) startCompletion(view)
    },
  }
}
