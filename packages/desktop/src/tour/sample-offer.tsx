import { useWindowState } from '../client/use-client.ts'
import { words } from '../strings/window.ts'
import { useSample } from './use-sample.ts'

/** For a user who has not started anything and is not in the tour. */
export function SampleOffer() {
  const isNew = useWindowState(({ conversations, settings }) => conversations?.size === 0 && settings?.tour === 'taken')
  const { busy, begin } = useSample()
  if (!isNew) return null
  return (
    <li>
      <button
        type="button"
        onClick={begin}
        disabled={busy}
        className="w-full rounded-lg border border-cloud-line bg-cloud-soft px-3.5 py-2 text-left hover:border-cloud"
      >
        <span className="block font-medium text-cloud">{words.tour.tryIt}</span>
        <span className="block text-soft text-sm">{words.tour.offer}</span>
      </button>
    </li>
  )
}
