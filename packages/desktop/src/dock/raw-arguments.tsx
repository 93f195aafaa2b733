// All arguments of a call: strings as text, everything else as JSON. Nothing is shortened; a long one scrolls in its own box.
import { words } from '../strings/window.ts'
import { visibleInApproval } from '../text/visible.ts'
import { isJson, prettyJson } from './json.ts'

export function RawArguments({ text }: { text: string }) {
  if (text === '{}') return null
  const fields = fieldsOf(text)
  return (
    <section aria-label={words.approval.exactly} className="space-y-1.5">
      {fields ? (
        fields.map(([name, value]) => (
          <div key={name} className="grid gap-x-4 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
            <p className="wrap-anywhere pt-2 font-mono text-[13px] text-cloud">{visibleInApproval(name)}</p>
            <Box text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          </div>
        ))
      ) : (
        <Box text={prettyJson(text)} />
      )}
    </section>
  )
}

function Box({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <pre dir="ltr" tabIndex={0} className="output-box max-h-56">
      {visibleInApproval(text)}
    </pre>
  )
}

/** Only if parsing the JSON loses nothing: a duplicate key, for example, is shown as it was written. */
function fieldsOf(text: string): readonly (readonly [string, unknown])[] | null {
  if (!isJson(text) || prettyJson(text) === text) return null
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null
}
