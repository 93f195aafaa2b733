// The picture of the product: two sides and what crosses between them.
import { routeTags } from '@tandem/contract/http'
import { strings } from '../../strings/map.ts'

export function Boundary() {
  const { desktop, cloud, desktop_rooms, sides } = strings.overview
  return (
    <section
      aria-label={sides}
      className="mb-10 grid overflow-hidden rounded-2xl border border-line bg-surface shadow-card md:grid-cols-[minmax(0,1fr)_7.5rem_minmax(0,1fr)]"
    >
      <Side {...desktop} rooms={desktop_rooms} colour="bg-desktop-soft" heading="text-desktop" chip="border-desktop-line" />
      <Crossing />
      <Side {...cloud} rooms={routeTags} colour="bg-cloud-soft" heading="text-cloud" chip="border-cloud-line font-mono text-[13px]" />
    </section>
  )
}

interface SideProps {
  readonly title: string
  readonly verb: string
  readonly lead: string
  readonly rooms: readonly string[]
  readonly colour: string
  readonly heading: string
  readonly chip: string
}

function Side({ title, verb, lead, rooms, colour, heading, chip }: SideProps) {
  return (
    <div className={`p-6 lg:p-8 ${colour}`}>
      <h2 className="font-semibold text-xl tracking-tight">
        <span className={heading}>{title}</span> {verb}
      </h2>
      <p className="mt-1 mb-5 text-soft">{lead}</p>
      <ul className="flex flex-wrap gap-1.5">
        {rooms.map((room) => (
          <li key={room} className={`rounded-md border bg-surface px-2.5 py-1 text-sm ${chip}`}>
            {room}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Arrows both ways; on narrow screens the sides stand one above the other and the picture turns with them. */
function Crossing() {
  return (
    <div className="relative flex items-center justify-center py-4 md:py-0">
      <div
        aria-hidden="true"
        className="absolute inset-x-6 top-1/2 border-line-strong border-t border-dashed md:inset-x-1/2 md:inset-y-6 md:top-6 md:border-t-0 md:border-l"
      />
      <div className="relative flex items-center gap-3 bg-surface px-3 py-2 text-center md:flex-col md:gap-2 md:px-0">
        <svg
          viewBox="0 0 40 22"
          width="40"
          height="22"
          fill="none"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
          className="rotate-90 md:rotate-0"
        >
          <path d="M3 7h34m-5-4.5L37 7l-5 4.5" className="stroke-desktop" />
          <path d="M37 16H3m5-4.5L3 16l5 4.5" className="stroke-cloud" />
        </svg>
        <ul className="flex gap-x-2 text-[13px] text-soft leading-snug md:flex-col">
          {strings.overview.crossing.map((what) => (
            <li key={what}>{what}</li>
          ))}
        </ul>
        <p className="hidden text-[12px] text-faint md:block">{strings.overview.boundary}</p>
      </div>
    </div>
  )
}
