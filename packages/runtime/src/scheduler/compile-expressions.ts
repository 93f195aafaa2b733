// Compiles regular expressions one at a time: at their first use, long ones take longer than all later uses of a run together.
import type { SlicedWork } from './slices.ts'

/** `latin`: only for texts of Latin letters; others are compiled when they occur. */
export function* compileExpressions(expressions: readonly RegExp[], texts: 'latin' | 'all' = 'all'): SlicedWork<void> {
  for (const expression of expressions) {
    // For texts of Latin letters and for others, each when it is first used, and faster code when it is used again.
    for (const text of texts === 'latin' ? ['-', '-'] : ['-', '-', '→', '→']) {
      expression.lastIndex = 0
      expression.test(text)
      yield
    }
    expression.lastIndex = 0
  }
}
