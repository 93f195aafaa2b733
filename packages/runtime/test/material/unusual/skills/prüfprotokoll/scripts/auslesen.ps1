Get-WinEvent -LogName System -MaxEvents 50
