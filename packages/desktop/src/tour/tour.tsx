// The tour: a few sentences on the first page, shown until the user has read or skipped them. The runtime remembers it.
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { Icon } from '../part/icon.tsx'
import { words } from '../strings/window.ts'
import { useSample } from './use-sample.ts'

const { steps } = words.tour

export function Tour() {
  const tour = useWindowState((state) => state.settings?.tour)
  return tour === 'ahead' ? <Steps /> : null
}

function Steps() {
  const client = useRuntimeClient()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [at, setAt] = useState(0)
  const { busy, begin } = useSample()
  const [title, text] = steps[at] ?? steps[0]
  const end = async () => {
    const answer = await client.call(words.doing.settings, 'runtime_set_settings', { tour: 'taken' })
    if (answer.ok) await client.refreshLists()
  }
  const isLast = at === steps.length - 1
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next page focuses its heading; the first page does not take the focus. Before paint: a key pressed right then belongs to the new page.
  useLayoutEffect(() => {
    if (!isFirst.current) heading.current?.focus()
    isFirst.current = false
  }, [at])
  return (
    <section
      aria-label={words.tour.label}
      aria-describedby={id}
      onKeyDown={(event) => event.key === 'Escape' && void end()}
      className="rounded-xl border border-line bg-surface p-4 shadow-card"
    >
      <div className="flex items-start justify-between gap-3">
        <p className="text-faint text-sm">
          {words.tour.label} · {words.tour.step(at + 1, steps.length)}
        </p>
        <button type="button" onClick={end} className="icon-button -mt-1 -mr-1" aria-label={words.tour.skip} title={words.tour.skip}>
          <Icon name="close" size={13} />
        </button>
      </div>
      <h2 ref={heading} tabIndex={-1} className="mt-1 font-semibold text-lg outline-none">
        {title}
      </h2>
      <p id={id} className="mt-1 min-h-[4.7em] text-soft sm:min-h-[3.2em]">
        {text}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {isLast ? (
          <>
            <PrimaryButton onClick={begin} disabled={busy}>
              {words.tour.tryIt}
            </PrimaryButton>
            <Button onClick={end}>{words.tour.done}</Button>
          </>
        ) : (
          <PrimaryButton onClick={() => setAt(at + 1)}>{words.tour.next}</PrimaryButton>
        )}
        {at > 0 && <Button onClick={() => setAt(at - 1)}>{words.tour.back}</Button>}
        {!isLast && (
          <button type="button" onClick={end} className="quiet-field">
            {words.tour.skip}
          </button>
        )}
      </div>
    </section>
  )
}
