def fee(minutes, vehicle="car", day="weekday"):
    return 0
