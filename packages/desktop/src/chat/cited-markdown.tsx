// An agent's text. Its citations are links if the passages were returned to the run that wrote it.
import { citationsIn } from '@tandem/contract/knowledge'
import { useMemo } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { CitationsContext, citationsOf } from '../markdown/citations.ts'
import { Markdown } from '../markdown/markdown.tsx'

export function CitedMarkdown({ text, run_id }: { text: string; run_id: string | null }) {
  const mayCite = useMemo(() => citationsIn(text).length > 0, [text])
  return mayCite && run_id !== null ? <WithPassages text={text} run_id={run_id} /> : <Markdown text={text} />
}

function WithPassages({ text, run_id }: { text: string; run_id: string }) {
  const { channel } = useRuntimeClient()
  const { state: asked } = useRequest(run_id, () => channel.call('kb_passages_of_run', { run_id }))
  // Without an answer, the text is shown as it is.
  const passages = asked.state === 'ready' ? asked.value.passages : null
  const citations = useMemo(() => citationsOf(passages ?? [], run_id), [passages, run_id])
  return (
    <CitationsContext value={citations}>
      <Markdown text={text} />
    </CitationsContext>
  )
}
