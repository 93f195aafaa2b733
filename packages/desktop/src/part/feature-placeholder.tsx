// A placeholder for a feature that the runtime does not offer yet: describes what it will contain.
import { words } from '../strings/window.ts'
import { Panel, Section } from './section.tsx'

export function FeaturePlaceholder({ title, lead, parts }: { title: string; lead: string; parts: readonly string[] }) {
  return (
    <Section title={title} lead={lead}>
      <Panel className="p-4">
        <ul className="grid gap-1 text-soft sm:grid-cols-2">
          {parts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
        <p className="mt-3 text-faint">{words.settings.notYet}</p>
      </Panel>
    </Section>
  )
}
