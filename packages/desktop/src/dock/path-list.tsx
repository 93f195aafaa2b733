// A list of paths: ten, and the rest on request.
import { useState } from 'react'
import { words } from '../strings/window.ts'
import { visibleInApproval } from '../text/visible.ts'

const mostAtFirst = 10

/** `more`: the number of paths not in `paths`. */
export function PathList({ paths, more }: { paths: readonly string[]; more: number }) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? paths : paths.slice(0, mostAtFirst)
  const hidden = paths.length - shown.length + more
  return (
    <>
      <ul aria-label={words.approval.paths} className="mt-1 max-h-56 overflow-y-auto font-mono text-[12.5px]">
        {shown.map((path) => (
          <li key={path} className="break-all">
            <bdi>{visibleInApproval(path)}</bdi>
          </li>
        ))}
      </ul>
      {!isOpen && paths.length > mostAtFirst ? (
        <button type="button" onClick={() => setOpen(true)} className="text-cloud text-sm underline underline-offset-4">
          {words.approval.andMore(hidden)}
        </button>
      ) : (
        hidden > 0 && <p className="text-faint text-sm">{words.approval.andMoreHere(hidden)}</p>
      )}
    </>
  )
}
