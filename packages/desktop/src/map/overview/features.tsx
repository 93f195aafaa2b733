import type { HostStatus } from '@tandem/contract/status'
import { Badge } from '../../part/badge.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'

export function Features({ product, features }: Pick<HostStatus, 'product' | 'features'>) {
  const { standing, standing_lead, today, not_yet } = strings.overview
  return (
    <Section
      title={standing}
      lead={standing_lead}
      aside={
        <span className="text-faint text-sm">
          {product.name} {product.version}
        </span>
      }
    >
      <Panel className="grid md:grid-cols-2">
        <List title={today} features={features.filter((feature) => feature.works)} />
        <div className="border-line border-t md:border-t-0 md:border-l">
          <List title={not_yet} features={features.filter((feature) => !feature.works)} />
        </div>
      </Panel>
    </Section>
  )
}

function List({ title, features }: { title: string; features: HostStatus['features'] }) {
  return (
    <div className="p-5 lg:p-6">
      <h3 className="mb-3 flex items-baseline justify-between font-medium">
        {title}
        <span className="text-faint text-sm">{features.length}</span>
      </h3>
      <ul className="space-y-2">
        {features.map((feature) => (
          <li key={feature.name} className={`flex items-start gap-2.5 ${feature.works ? '' : 'text-soft'}`}>
            <Mark works={feature.works} />
            <span className="min-w-0 grow">{strings.features[feature.name] ?? feature.name}</span>
            <Badge tone={feature.side === 'both' ? 'plain' : feature.side}>{strings.sides[feature.side]}</Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Mark({ works }: { works: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`mt-1 shrink-0 ${works ? 'stroke-good' : 'stroke-line-strong'}`}
    >
      {works ? <path d="M3 8.5l3.2 3.2L13 4.8" /> : <circle cx="8" cy="8" r="4.6" />}
    </svg>
  )
}
