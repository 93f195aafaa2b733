// Evolution in the diagnostics center: whether something needs a decision, and the way to the rest.
import { evolutionAddress, followLink } from '../address.ts'
import { Panel, Section } from '../part/section.tsx'
import { evolutionWords } from '../strings/evolution.ts'
import { words } from '../strings/window.ts'
import { useWaitingRecommendations } from './use-waiting-recommendations.ts'

const told = evolutionWords.summary
const sections = ['recommendations', 'gaps', 'traces'] as const

export function EvolutionSummary() {
  const waiting = useWaitingRecommendations()
  return (
    <Section title={evolutionWords.title} lead={told.lead}>
      <Panel className="p-4">
        {waiting === null ? (
          <p className="text-faint">{words.loading}</p>
        ) : (
          <p className={waiting.length > 0 ? 'font-medium' : ''}>{waiting.length > 0 ? told.waiting(waiting.length) : told.noneWaiting}</p>
        )}
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {sections.map((section) => (
            <li key={section}>
              <a
                href={evolutionAddress(section === 'recommendations' ? undefined : section)}
                onClick={followLink}
                className="text-cloud underline underline-offset-4"
              >
                {evolutionWords.sections[section]}
              </a>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  )
}
