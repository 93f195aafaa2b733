// The settings center: one section per topic.
import { followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { Section } from '../part/section.tsx'
import { openShortcuts } from '../part/shortcuts.ts'
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
        <Button onClick={openShortcuts}>{told.openKeys}</Button>
      </Section>
    </PageLayout>
  )
}
