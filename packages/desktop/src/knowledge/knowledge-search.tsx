// A search to try: what is found, why, and what an agent would find.
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { useState } from 'react'
import { followLink } from '../address.ts'
import type { ReadRequest } from '../client/use-request.ts'
import { AgentSelect, useAgents } from '../part/agent-select.tsx'
import { SmallFold } from '../part/fold.tsx'
import { usePause } from '../part/use-pause.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'
import { FoundHits } from './found-hits.tsx'
import { useFolders } from './use-folders.ts'

export function KnowledgeSearch({ sources: { state: asked } }: { sources: ReadRequest<readonly KnowledgeSource[]> }) {
  const [typed, setTyped] = useState('')
  const query = usePause(typed)
  const agents = useAgents()
  const [agent_id, setAgent] = useState('')
  const [selected, setSelected] = useState<readonly string[]>([])
  const folders = useFolders(agent_id)
  const [folder, setFolder] = useState<string | null>(null)
  const conversation_id = (folder === null ? folders[0] : folders.find(({ path }) => path === folder))?.conversation_id
  const sources = asked.state === 'ready' ? asked.value : []
  const chosen = selected.filter((one) => sources.some(({ source_id }) => source_id === one))
  return (
    <>
      <p className="mb-4 max-w-2xl text-pretty text-soft">{knowledgeWords.searchLead}</p>
      <input
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        maxLength={4_096}
        aria-label={knowledgeWords.search}
        placeholder={knowledgeWords.search}
        className="field mb-3 w-full max-w-xl"
      />
      <div className="mb-2 flex flex-wrap items-start gap-x-5">
        <AgentSelect
          agents={agents}
          value={agent_id}
          onChange={(next) => {
            setAgent(next)
            setFolder(null)
          }}
          label={knowledgeWords.searchAs}
          all={knowledgeWords.searchAsYou}
        />
        {agent_id !== '' && <FolderSelect folders={folders} value={folder ?? folders[0]?.path ?? ''} onChange={setFolder} />}
      </div>
      {sources.length > 1 && <SourceSelect sources={sources} chosen={chosen} onChange={setSelected} />}
      {agent_id !== '' && (
        <p className="mb-4 text-soft text-sm">
          {knowledgeWords.scopeNote}{' '}
          <a href={`/agents/${encodeURIComponent(agent_id)}`} onClick={followLink} className="text-cloud underline underline-offset-4">
            {knowledgeWords.scopeOfAgent}
          </a>
        </p>
      )}
      {query !== '' && (
        <FoundHits
          params={{
            query,
            ...(agent_id === '' ? {} : { agent_id }),
            ...(agent_id === '' || conversation_id === undefined ? {} : { conversation_id }),
            ...(chosen.length === 0 ? {} : { source_ids: [...chosen] }),
          }}
        />
      )}
    </>
  )
}

interface FolderProps {
  readonly folders: ReturnType<typeof useFolders>
  readonly value: string
  onChange(path: string): void
}

/** Relative folders of a file scope begin in the folder that an agent works in. */
function FolderSelect({ folders, value, onChange }: FolderProps) {
  return (
    <label className="mb-2 flex min-w-0 items-center gap-2 text-faint text-sm">
      <span className="shrink-0">{knowledgeWords.searchIn}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)} className="field min-w-0 max-w-72 py-1 text-ink">
        {folders.map(({ path }) => (
          <option key={path} value={path}>
            {visibleName(path)}
          </option>
        ))}
        <option value="">{knowledgeWords.searchInNone}</option>
      </select>
    </label>
  )
}

interface SourceProps {
  readonly sources: readonly KnowledgeSource[]
  readonly chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

function SourceSelect({ sources, chosen, onChange }: SourceProps) {
  return (
    <div className="mb-4">
      <SmallFold
        summary={
          <>
            {knowledgeWords.searchSources}: {chosen.length === 0 ? knowledgeWords.allSources : knowledgeWords.someSources(chosen.length)}
          </>
        }
      >
        {() => (
          <fieldset className="grid gap-1 sm:grid-cols-2">
            <legend className="sr-only">{knowledgeWords.searchSources}</legend>
            {sources.map(({ source_id, name }) => (
              <label key={source_id} className="flex min-w-0 items-baseline gap-2">
                <input
                  type="checkbox"
                  checked={chosen.includes(source_id)}
                  onChange={(event) => onChange(event.target.checked ? [...chosen, source_id] : chosen.filter((one) => one !== source_id))}
                />
                <bdi className="min-w-0 break-words">{visibleName(name)}</bdi>
              </label>
            ))}
          </fieldset>
        )}
      </SmallFold>
    </div>
  )
}
