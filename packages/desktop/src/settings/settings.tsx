// The settings center: one section per topic.
import { followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { PageLayout } from '../part/page-layout.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { ExecutorSettings } from './executors.tsx'
import { ImportConversations } from './import-conversations.tsx'
import { MemorySettings } from './memory.tsx'
import { ModelForm } from './model.tsx'
import { SearchForm } from './search.tsx'
import { UsageSettings } from './usage.tsx'
import { WindowForm } from './window.tsx'

const told = words.settingsCenter

export default function Settings() {
  const settings = useWindowState((state) => state.settings)
  if (!settings)
    return (
      <PageLayout title={words.settings.title} lead={words.settings.lead}>
        <p className="text-faint">{words.loading}</p>
      </PageLayout>
    )
  return (
    <PageLayout title={words.settings.title} lead={words.settings.lead}>
      <Section anchor="section-model" title={words.settings.model} lead={words.settings.modelLead}>
        <ModelForm settings={settings} />
      </Section>
      <UsageSettings />
      <Section anchor="section-search" title={told.search} lead={told.searchLead}>
        <SearchForm settings={settings} />
      </Section>
      <MemorySettings />
      <ExecutorSettings />
      <ImportConversations />
      <Section anchor="section-window" title={told.window}>
        <WindowForm settings={settings} />
      </Section>
      <Section anchor="section-account" title={told.account} lead={told.accountLead}>
        <a href="/devices" onClick={followLink} className="text-cloud underline underline-offset-4">
          {words.devices.title}
        </a>
      </Section>
      <Section anchor="section-keys" title={told.keys}>
        <Panel className="p-4">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
            {told.keyList.map(([key, what]) => (
              <div key={key} className="contents">
                <dt>
                  <kbd className="whitespace-nowrap rounded border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-xs">{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      </Section>
    </PageLayout>
  )
}
