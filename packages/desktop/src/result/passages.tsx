// Results of a search in the knowledge base.
import type { KbSearchOutput } from '@tandem/contract/tool/output'
import { useState } from 'react'
import { followLink, passageAddress } from '../address.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'

/** Shorter passages are shown completely. */
const longest = 300

type Passage = KbSearchOutput['passages'][number]

export function FoundPassages({ passages, note, run_id }: KbSearchOutput & { run_id?: string }) {
  if (passages.length === 0) return <p className="text-faint">{visibleText(note ?? knowledgeWords.nothingFound)}</p>
  return (
    <div className="space-y-3">
      <ul className="space-y-3">
        {passages.map((passage) => (
          <li key={passage.id} className="border-line border-l-2 pl-3">
            <FoundPassage passage={passage} address={passageAddress(passage.id, run_id)} />
          </li>
        ))}
      </ul>
      {note !== undefined && <p className="text-sm text-warn">{visibleText(note)}</p>}
    </div>
  )
}

function FoundPassage({ passage: { citation, headings, text }, address }: { passage: Passage; address: string }) {
  const [open, setOpen] = useState(false)
  const isLong = text.length > longest || text.split('\n').length > 4
  return (
    <>
      <p className="break-words text-sm">
        <a href={address} onClick={followLink} className="break-all text-cloud underline underline-offset-4">
          <bdi>{visibleName(citation)}</bdi>
        </a>
        {headings.length > 0 && <span className="text-faint"> {headings.map(visibleName).join(' › ')}</span>}
      </p>
      <p dir="auto" className={`mt-0.5 break-words text-soft text-sm ${isLong && !open ? 'line-clamp-3' : 'whitespace-pre-wrap'}`}>
        {visibleText(text)}
      </p>
      {isLong && (
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="link-button mt-0.5">
          {open ? knowledgeWords.showLess : knowledgeWords.showAll}
        </button>
      )}
    </>
  )
}
