import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Icon } from '../part/icon.tsx'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'

/** Refused commands with their remedy. Each stays until the next attempt succeeds or the user dismisses it. */
export function ErrorNotices() {
  const client = useRuntimeClient()
  const refusals = useWindowState((state) => state.refusals)
  if (refusals.length === 0) return null
  return (
    <div className="fixed right-4 bottom-4 z-30 w-[min(26rem,calc(100vw-2rem))] space-y-2">
      {refusals.map(({ id, doing, error, times }) => (
        <div key={id} role="alert" className="flex items-start gap-3 rounded-lg border border-line bg-surface p-3 shadow-card">
          <Icon name="Error" className="mt-1 text-bad" />
          <div className="min-w-0 grow">
            <p className="font-medium">
              {words.refusal(doing)}
              {times > 1 && <span className="ml-2 font-normal text-faint text-sm">{words.times(times)}</span>}
            </p>
            <p className="break-words text-soft">{visibleSentence(error.message)}</p>
            <p className="text-faint text-sm">{visibleText(error.remedy)}</p>
          </div>
          <button type="button" onClick={() => client.dismiss(id)} aria-label={words.dismiss} className="icon-button">
            <Icon name="close" size={13} />
          </button>
        </div>
      ))}
    </div>
  )
}
