"""Where verified claims become public: the submission gate, the transparency log and the board made from it.

It never runs an agent; graders run again through a Protocol that a flow implements.
"""
