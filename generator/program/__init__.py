"""How a Pulumi program is run and read: the recording child process, the engine of the user, what values mean."""
