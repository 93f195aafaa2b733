export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" fill="none" strokeWidth="3" aria-hidden="true">
      <circle cx="11" cy="16" r="7.5" className="stroke-desktop" />
      <circle cx="21" cy="16" r="7.5" className="stroke-cloud" />
    </svg>
  )
}
