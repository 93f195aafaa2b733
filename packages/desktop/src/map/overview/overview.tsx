import { PageHeading } from '../../part/page-heading.tsx'
import { Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { BackendPanel } from '../status/backend-panel.tsx'
import { useStatus } from '../status/use-status.ts'
import { Boundary } from './boundary.tsx'
import { Contents } from './contents.tsx'
import { Features } from './features.tsx'

export default function Overview() {
  const seen = useStatus()
  return (
    <>
      <PageHeading {...strings.pages.overview} />
      <p className="mb-8 rounded-lg border border-line bg-sunken px-4 py-3 text-soft">{strings.overview.map}</p>
      <Boundary />
      <Section title={strings.status.title}>
        <BackendPanel {...seen} />
      </Section>
      {seen.sight.state === 'seen' && <Features {...seen.sight.status} />}
      <Contents />
    </>
  )
}
