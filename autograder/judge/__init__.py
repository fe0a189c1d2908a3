"""The judge: trusted code that runs exported programs in a disposable process."""
