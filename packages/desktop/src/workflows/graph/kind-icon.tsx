import type { WorkflowNodeKind } from '@tandem/contract/workflow'

/** In the style of the window's other icons: 16 by 16, one stroke. */
const paths: Readonly<Record<WorkflowNodeKind, string>> = {
  tool: 'M10.8 2.6a3.4 3.4 0 0 0-4.2 4.5L2.6 11l2.4 2.4 4-4a3.4 3.4 0 0 0 4.4-4.3l-2.1 2.1-2.2-.6-.5-2.2z',
  agent: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8zM3 13.5c.6-2.6 2.4-4 5-4s4.4 1.4 5 4',
  workflow: 'M2.5 3h4v3.5h-4zM9.5 9.5h4V13h-4zM4.5 6.5v4.8h5',
  approval: 'M8 2l5 2v3.6c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4V4zM5.8 8l1.6 1.6 2.9-3',
  question: 'M6 6a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 11.6h.01M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12z',
  condition: 'M8 2v3.5M8 5.5L3.5 10v3.5M8 5.5l4.5 4.5v3.5M2 12l1.5 1.5L5 12M11 12l1.5 1.5L14 12',
  wait: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  transform: 'M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13',
  for_each: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  repeat: 'M3 7.5A5 5 0 0 1 12 5M12.3 2.3V5H9.6M13 8.5A5 5 0 0 1 4 11M3.7 13.7V11h2.7',
}

export function KindIcon({ kind }: { kind: WorkflowNodeKind }) {
  return (
    <svg viewBox="0 0 16 16" width={15} height={15} aria-hidden="true" className="icon shrink-0 text-soft">
      <path d={paths[kind]} />
    </svg>
  )
}
