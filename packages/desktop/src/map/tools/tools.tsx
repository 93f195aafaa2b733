import { builtinToolNames, defaultSandboxMode, defaultToolPolicy, sandboxModes, type ToolFamily, toolFamilies } from '@tandem/contract/tool'
import { Badge } from '../../part/badge.tsx'
import { FilterBox, NothingMatches, useFilter } from '../../part/filter.tsx'
import { PageHeading } from '../../part/page-heading.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { marksOf, ToolLine } from './tool-line.tsx'

const families = Object.keys(toolFamilies) as ToolFamily[]

export default function Tools() {
  const filter = useFilter()
  const groups = families
    .map((family) => ({ family, tools: toolFamilies[family].filter((tool) => filter.shows(tool, family, ...marksOf(tool))) }))
    .filter((group) => group.tools.length > 0)
  const shown = groups.reduce((sum, group) => sum + group.tools.length, 0)
  return (
    <>
      <PageHeading {...strings.pages.tools} />
      <StartingPolicy />
      <FilterBox filter={filter} what={strings.tools.what} shown={shown} all={builtinToolNames.length} />
      {shown === 0 && <NothingMatches filter={filter} />}
      <div className="gap-5 lg:columns-2">
        {groups.map(({ family, tools }) => (
          <section key={family} aria-label={family} className="mb-5 break-inside-avoid">
            <Panel>
              <h2 className="flex items-baseline justify-between border-line border-b px-4 py-2.5 font-medium capitalize">
                {family}
                <span className="text-faint text-sm">{tools.length}</span>
              </h2>
              <ul className="py-1.5">
                {tools.map((tool) => (
                  <ToolLine key={tool} tool={tool} />
                ))}
              </ul>
            </Panel>
          </section>
        ))}
      </div>
    </>
  )
}

function StartingPolicy() {
  const { rate_limit, time_limit, network_scope, fs_scope } = defaultToolPolicy(builtinToolNames[0] ?? 'fs.list')
  const words = strings.tools
  return (
    <div className="grid gap-x-5 lg:grid-cols-2">
      <Section title={words.policy}>
        <ul className="flex flex-wrap gap-1.5">
          {[
            words.calls(rate_limit.calls, rate_limit.per_seconds),
            words.time(time_limit.seconds),
            words.network(network_scope.hosts),
            words.files(fs_scope.roots),
          ].map((line) => (
            <li key={line}>
              <Badge>{line}</Badge>
            </li>
          ))}
        </ul>
        <p className="mt-3 text-soft text-sm">
          {words.mcp} <code>{defaultToolPolicy('mcp.server.tool').approval_mode}</code>.
        </p>
      </Section>
      <Section title={words.sandbox}>
        <ul className="flex flex-wrap gap-1.5">
          {sandboxModes.map((mode) => (
            <li key={mode}>
              <Badge tone={mode === defaultSandboxMode ? 'desktop' : 'plain'}>
                <code>{mode}</code>
                {mode === defaultSandboxMode && ` · ${words.default}`}
              </Badge>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
